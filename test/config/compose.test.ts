import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { programOf } from '../../src/cli/command-line.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'config/compose')

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command: readonly string[]
  readonly volumes?: readonly string[]
}

describe('config/compose/workers.yaml', () => {
  const { services }: { services: Record<string, Service> } = parse(
    readFileSync(join(FOLDER, 'workers.yaml'), 'utf8'),
  )
  const { worker } = services

  it('builds the project, and mounts what a clone has or makes', () => {
    const { context, dockerfile } = worker?.build ?? { context: '', dockerfile: '' }
    expect(join(FOLDER, context)).toBe(`${ROOT}/`.replace(/\/$/, ''))
    expect(existsSync(join(FOLDER, context, dockerfile))).toBe(true)
    const mounted = worker?.volumes?.map(volume => volume.split(':')[1])
    expect(mounted).toEqual(['/sluice/strategies', '/sluice/data/klines'])
  })

  it('runs a command that there is, with options that it has', () => {
    const [script, ...options] = worker?.command ?? []
    const scripts = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
    expect(Object.keys(scripts)).toContain(script)
    const command = programOf({ out: process.stdout, err: process.stderr }, () => {}).commands.find(
      each => each.name() === script,
    )
    const known = command?.options.map(({ long }) => long)
    expect(known).toEqual(expect.arrayContaining(options.filter(option => option.startsWith('--'))))
  })
})
