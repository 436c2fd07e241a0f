/** Items whose names are not in `seen`, each once. */
export function unseen<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  seen: ReadonlySet<string>,
): readonly Item[] {
  const named = new Map(items.map(item => [nameOf(item), item]))
  for (const name of seen) named.delete(name)
  return [...named.values()]
}
