/** Whether `journalText` can write a value so that it reads back as it was: data, without functions or instances of classes. */
export function isPlainData(value: unknown): boolean {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      return false
    case 'object':
      return value === null || isPlainObject(value)
    default:
      return true
  }
}

function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return value.every(part => part !== undefined && isPlainData(part))
  if (value instanceof Map) return [...value].every(isPlainData)
  if (value instanceof Set) return [...value].every(isPlainData)
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlainData)
}
