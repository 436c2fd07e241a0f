import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, sluice } from '../cli/sluice-process.ts'
import { copyOfProject, runIn } from '../project-copy.ts'
import { blocksOf, commandsIn, PAGES } from './guide-pages.ts'

const scripts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
/** Commands that have commands of their own. */
const FAMILIES = ['klines', 'bot']
/** What the page of the first strategy does not do by itself: install, go on for ever, and read a file of its reader. */
const NOT_RUN = [/^npm ci$/, /--watch$/, /klines -- import/]

/** What says that there is too little to say anything, which its page tells. */
const UNSURE = /--certify-warmup$/

const commands = PAGES.flatMap(blocksOf)
  .filter(({ kind }) => kind === 'sh')
  .flatMap(commandsIn)

describe('the commands of the guide', () => {
  it.each([...new Set(commands)])('are commands that there are: %s', async command => {
    if (command === 'npm ci' || command.startsWith('npx vitest run test/')) return
    const [, script = '', given = ''] = /^npm (?:run (?:-s )?)?([a-z-]+)(?: -- (.*))?$/.exec(command) ?? []
    expect(Object.keys(scripts)).toContain(script)
    const [first = ''] = given.split(' ')
    const { out, exitCode } = await sluice(script, ...(FAMILIES.includes(script) ? [first] : []), '--help')
    expect(exitCode).toBe(0)
    const known = [...out.matchAll(/--[a-z][a-z-]*/g)].map(([option]) => option)
    expect(known).toEqual(expect.arrayContaining(given.match(/--[a-z][a-z-]*/g) ?? []))
  })

  it('of the first strategy can be typed one after the other', async () => {
    const folder = copyOfProject()
    const failed: string[] = []
    for (const block of blocksOf('first-strategy.md')) {
      if (block.file !== undefined) {
        mkdirSync(dirname(join(folder, block.file)), { recursive: true })
        writeFileSync(join(folder, block.file), block.text)
      }
      if (block.kind !== 'sh') continue
      for (const command of commandsIn(block).filter(text => !NOT_RUN.some(pattern => pattern.test(text)))) {
        const [program = '', ...args] = command.split(' ')
        const { exitCode, out, err } = await runIn(folder, program, ...args)
        if (UNSURE.test(command)) expect(out).toContain('Cannot be certified: only')
        else if (exitCode !== 0) failed.push(`${command}: ${err}`)
      }
    }
    expect(failed).toEqual([])
    const { exitCode } = await runIn(folder, 'npx', 'vitest', 'run', 'test/strategies/rsi-dip.test.ts')
    expect(exitCode).toBe(0)
    expect(readFileSync(join(folder, 'rsi-dip.html'), 'utf8')).toMatch(/^<!doctype html>/i)
  })
})
