/** A field of CSV: a text with a comma, a quote or a line break stands in quotes, its own quotes doubled. */
export function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
