import { AsyncLocalStorage } from 'node:async_hooks'
import { onTestFinished, type TestContext } from 'vitest'

/** The tests that run beside others. */
const contexts = new AsyncLocalStorage<TestContext>()

/** Does something once the test that runs is over. */
export function afterTest(cleanUp: () => unknown): void {
  const context = contexts.getStore()
  if (context === undefined) onTestFinished(async () => void (await cleanUp()))
  else context.onTestFinished(async () => void (await cleanUp()))
}

/** The body of a test that runs beside others (`it.concurrent`): only so `afterTest` knows which of them calls. */
export function besideOthers<Row extends readonly unknown[]>(
  body: (...row: Row) => Promise<void>,
): (...given: readonly [...Row, TestContext]) => Promise<void> {
  return (...given) => {
    const [row, context] = [given.slice(0, -1), given.at(-1)]
    return contexts.run(context as TestContext, () => body(...(row as unknown as Row))) // as given
  }
}
