/** Answers for programs that watch a bot. */
export interface Probes {
  /** Metrics in the format of their content type. */
  write(): Promise<{ readonly contentType: string; readonly text: string }>
  /** Reasons that the bot does not trade as it should; `isAlive` is false if it does not answer. */
  readiness(): Promise<{ readonly isAlive: boolean; readonly reasons: readonly string[] }>
}
