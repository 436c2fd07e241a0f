import { Session } from 'node:inspector/promises'

/** Functions of `src/engine`, `src/ledger` and `src/risk` that a run enters, as `file name`, counted by V8 itself. */
export async function functionsEntered(run: () => unknown): Promise<ReadonlySet<string>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    const entered = result.flatMap(({ url, functions }) => {
      const file = /\/src\/((?:engine|ledger|risk)\/[^?]+)/.exec(url)?.[1]
      if (file === undefined) return []
      return functions
        .filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => `${file} ${functionName}`)
    })
    return new Set(entered)
  } finally {
    session.disconnect()
  }
}
