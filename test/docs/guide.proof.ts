import { afterAll, describe, expect, it } from 'vitest'
import { blocksOf, PAGES } from './guide-pages.ts'
import { folderWith, outputIn, snippetsOfGuide } from './snippet-file.ts'

const files = snippetsOfGuide()
const { folder, remove } = folderWith(files)

afterAll(remove)

describe('the guide', () => {
  it('shows code that the linter of the project leaves as it is', async () => {
    const named = PAGES.flatMap(blocksOf).map(({ file }) => file)
    const written = files.map(({ path }) => path).filter(path => named.includes(path))
    const said = await outputIn(folder, 'biome', 'check', ...written)
    expect(said).toMatch(new RegExp(`Checked ${written.length} files in .*\\. No fixes applied\\.\\n$`))
  })

  it('shows tests that pass', async () => {
    const count = files.filter(({ path }) => path.endsWith('.test.ts')).length
    const said = await outputIn(folder, 'vitest', 'run', '--root', folder)
    expect(said).toMatch(new RegExp(`Test Files +${count} passed`))
  })
})
