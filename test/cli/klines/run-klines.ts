import { Writable } from 'node:stream'
import { runCommandLine, type Streams } from '../../../src/cli/command-line.ts'

/** What a command wrote, and how it ended. */
export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs `klines` with arguments in this process. */
export async function runKlines(...args: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []]
  // Commands write to them, and ask whether they are terminals; nothing else.
  const streams = { out: collecting(out), err: collecting(err) } as unknown as Streams
  const exitCode = await runCommandLine(['klines', ...args], streams)
  return { exitCode, out: out.join(''), err: err.join('') }
}

function collecting(texts: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      texts.push(String(chunk))
      done()
    },
  })
}
