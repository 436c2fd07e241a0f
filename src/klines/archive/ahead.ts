/** Results of a task for each item, in order, with up to `most` tasks under way. */
export async function* ahead<Item, Result>(
  items: readonly Item[],
  most: number,
  task: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = []
  for (const [index] of items.entries()) {
    for (const item of items.slice(started.length, index + most)) {
      const result = task(item)
      // It is awaited later, or never if an earlier one rejects.
      result.catch(() => {})
      started.push(result)
    }
    yield await (started[index] as Promise<Result>) // just started, at the latest
  }
}
