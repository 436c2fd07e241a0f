import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../backtest/report/chromium.ts'
import { ROOT } from '../cli/sluice-process.ts'
import { pageText } from './guide-pages.ts'
import { LARGEST_PICTURE, PICTURE, pictureOfReport, SIZE } from './report-picture.ts'

/** Width and height of a PNG, which its first chunk begins with. */
function sizeOf(png: Buffer) {
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

describe('the picture of README.md', () => {
  it('is there, and small', () => {
    expect(pageText('../README.md')).toContain(`](${PICTURE})`)
    const picture = readFileSync(join(ROOT, PICTURE))
    expect(sizeOf(picture)).toEqual(SIZE)
    expect(picture.length).toBeLessThanOrEqual(LARGEST_PICTURE)
  })

  it.skipIf(!hasChromium())(
    'is made anew by the commands of README.md; `npm run docs` writes it',
    async () => {
      const picture = await pictureOfReport()
      expect(sizeOf(picture)).toEqual(SIZE)
      // Fonts differ between machines, so that the picture is another one there; an empty page is a tenth of it.
      expect(picture.length).toBeGreaterThan(60_000)
      expect(picture.length).toBeLessThanOrEqual(LARGEST_PICTURE)
    },
  )
})
