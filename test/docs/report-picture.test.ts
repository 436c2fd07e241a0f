import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../cli/sluice-process.ts'
import { pageText } from './guide-pages.ts'
import { LARGEST_PICTURE, PICTURE, SIZE, sizeOf } from './report-picture.ts'

describe('the picture of README.md', () => {
  it('is there, and small', () => {
    expect(pageText('../README.md')).toContain(`](${PICTURE})`)
    const picture = readFileSync(join(ROOT, PICTURE))
    expect(sizeOf(picture)).toEqual(SIZE)
    expect(picture.length).toBeLessThanOrEqual(LARGEST_PICTURE)
  })
})
