import { type Reaction, SluiceError } from '../domain/sluice-error.ts'

/** What the bot does about anything thrown: an error's own reaction, and `halt` for what nobody foresaw. */
function reactionTo(error: unknown): Reaction {
  return error instanceof SluiceError ? error.reaction : 'halt'
}

/** Whether an error ends the bot: a wrong configuration, a refused key, a broken invariant, a bug. */
export function endsTheBot(error: unknown): boolean {
  const reaction = reactionTo(error)
  return reaction === 'exit' || reaction === 'halt'
}
