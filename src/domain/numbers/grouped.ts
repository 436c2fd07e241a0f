/**
 * Plain decimal text with a comma between thousands: `12,345.60`; any other text as it is. Scripts of pages contain the text of
 * this function, so that it refers to nothing outside itself.
 */
export function grouped(text: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  const [whole = '', ...fraction] = text.split('.')
  return [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/**
 * A text with a comma between the thousands of its numbers: `limit 58,776.44` of `limit 58776.44`. Scripts of pages contain the text
 * of this function beside that of `grouped`.
 */
export function withCommas(text: string): string {
  return text.replace(/(?<![\w.,:]|\w-)\d{4,}(?=[ .,;)]|$)/g, grouped)
}
