import { type Reaction, SluiceError } from '../domain/sluice-error.ts'

/** Reaction to an error: its own, and `halt` for an unexpected one. */
function reactionTo(error: unknown): Reaction {
  return error instanceof SluiceError ? error.reaction : 'halt'
}

/** True if an error ends the bot: a wrong configuration, a refused key, a broken invariant, a bug. */
export function endsTheBot(error: unknown): boolean {
  const reaction = reactionTo(error)
  return reaction === 'exit' || reaction === 'halt'
}
