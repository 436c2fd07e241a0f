/** Where commands write: results to `out`, everything else to `err`. */
export interface Streams {
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
}

/** Takes the exit code of the command that ran. */
export type OnExitCode = (exitCode: number) => void
