/** Output streams of commands: results to `out`, everything else to `err`. */
export interface OutputStreams {
  readonly out: NodeJS.WriteStream
  readonly err: NodeJS.WriteStream
}

/** Receives the exit code of the command. */
export type OnExitCode = (exitCode: number) => void

export interface CommandOutput {
  write(text: string): void
}
