import { UsageError } from '../../../domain/sluice-error.ts'
import { firstRecord } from '../text/first-record.ts'
import { isReadable } from '../text/row-fields.ts'
import { headerOf, isHeader, type RowField, type RowLayout } from './row-layout.ts'

/** Year 2001, in seconds. */
const THIS_CENTURY = 1e9

/**
 * The layout that matches the header or the fields of a text's first line, else the one with as many columns.
 * Throws `UsageError` if there is none.
 */
export function recogniseLayout(start: Uint8Array, layouts: readonly RowLayout[], source: string): RowLayout {
  const texts = firstRecord(start)
  const layout = fittingLayout(start, layouts) ?? layouts.find(({ fields }) => fields.length === texts.length)
  if (layout !== undefined) return layout
  throw new UsageError(
    `Line 1 of ${source} has ${texts.length} columns; expected one of these: ${layouts.map(headerOf).join('; ')}.`,
  )
}

/** The layout that matches the header or the fields of a text's first line. */
export function fittingLayout(start: Uint8Array, layouts: readonly RowLayout[]): RowLayout | undefined {
  const texts = firstRecord(start)
  return (
    layouts.find(candidate => isHeader(texts, candidate)) ??
    layouts.find(candidate => isRow(texts, candidate))
  )
}

function isRow(texts: readonly string[], { fields }: RowLayout): boolean {
  return (
    texts.length === fields.length &&
    fields.every((field, index) => isReadable(texts[index] ?? '', field) && isLikely(texts[index], field))
  )
}

/** A price or a quantity can look like a time, but not like one of this century. */
function isLikely(text: string | undefined, { kind }: RowField): boolean {
  return kind !== 'time' || Number(text) >= THIS_CENTURY
}
