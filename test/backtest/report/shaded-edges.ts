import type { Locator } from 'playwright-core'

/**
 * The most frequent colour of a column of pixels of the lower half, where no head stays in front of the rows, as `r,g,b`; text, because the types of a browser are not those of Node. The picture
 * is drawn in a page that allows it, and has a pixel of its own for each of the page.
 */
const COLOURS = `async (png, { x, y, width, height }) => {
  const picture = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob())
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  const context = canvas.getContext('2d')
  context.drawImage(picture, 0, 0)
  const [left, right] = [Math.ceil(x), Math.floor(x + width) - 1]
  return [left, Math.floor((left + right) / 2), right].map(column => {
    const { data } = context.getImageData(column, Math.ceil(y + height / 2), 1, Math.floor(height / 2) - 1)
    const counts = new Map()
    for (let index = 0; index < data.length; index += 4) {
      const colour = [...data.subarray(index, index + 3)].join()
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    return [...counts].sort(([, one], [, other]) => other - one)[0][0]
  })
}`

/** Which edges of an element a shade marks: those whose colour is not that of its middle. */
export async function shadedEdges(element: Locator): Promise<readonly ('left' | 'right')[]> {
  const page = element.page()
  // A smooth scroll is not over by the time of the picture.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await element.scrollIntoViewIfNeeded()
  const png = (await page.screenshot()).toString('base64')
  const box = await element.boundingBox()
  const browser = page.context().browser()
  if (browser === null) throw new Error('There is no browser.')
  const blank = await browser.newPage()
  const colours = await blank.evaluate<string[]>(
    `(${COLOURS})(${JSON.stringify(png)}, ${JSON.stringify(box)})`,
  )
  await blank.close()
  const [left, middle, right] = colours
  return [...(left === middle ? [] : (['left'] as const)), ...(right === middle ? [] : (['right'] as const))]
}
