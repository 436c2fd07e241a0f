import { PassThrough } from 'node:stream'
import { runCommandLine } from '../../../src/cli/command-line.ts'
import type { Ended } from '../sluice-process.ts'
import { withoutProgress } from '../without-progress.ts'

/** Runs the command line within the process of the test, which is a hundred times quicker than a process of its own. */
export async function sluiceHere(...args: readonly string[]): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()]
  // What commands need of a stream is that it can be written to, and is no terminal.
  const streams = { out, err } as unknown as Parameters<typeof runCommandLine>[1]
  const exitCode = await runCommandLine(args, streams)
  const textOf = (stream: PassThrough) => {
    // One read may return no more than the first of several writes.
    let text = ''
    for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += chunk
    return text
  }
  return { exitCode, out: textOf(out), err: withoutProgress(textOf(err)) }
}
