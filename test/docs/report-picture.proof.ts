import { describe, expect, it } from 'vitest'
import { hasChromium } from '../backtest/report/chromium.ts'
import { LARGEST_PICTURE, pictureOfReport, SIZE, sizeOf } from './report-picture.ts'

describe('the picture of README.md', () => {
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
