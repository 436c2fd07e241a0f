import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { fileWith, ROOT } from './sluice-process.ts'

/** Runs a file in a process that takes its Node for another version; resolves to its exit code and output. */
async function runAs(version: string, args: readonly string[], script?: string) {
  const versions = JSON.stringify({ ...process.versions, node: version })
  const disguise = fileWith(
    'disguise.cjs',
    `Object.defineProperty(process, 'versions', { value: ${versions} })`,
  )
  const { npm_lifecycle_event: _, ...environment } = process.env
  const child = spawn(process.execPath, ['--require', disguise, ...args], {
    cwd: ROOT,
    env: { ...environment, ...(script !== undefined && { npm_lifecycle_event: script }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { exitCode, out, err }
}

it('tells an old Node in one sentence which command to type', async () => {
  expect(await runAs('20.20.2', ['src/main.js', 'backtest', 'a.ts', '--param', 'x y'])).toEqual({
    exitCode: 2,
    out: '',
    err: `Sluice needs Node 26 or newer, but this is Node 20.20.2: type "npm ci" once, which installs the Node of the project, and then "npm run backtest -- a.ts --param 'x y'", which uses it.\n`,
  })
})

it.each([
  [['src/main.js'], 'npm start'],
  [['src/main.js', 'start', '--config', 'config/paper.yaml'], 'npm start -- --config config/paper.yaml'],
  [['src/main.js', '--help'], 'npm start -- --help'],
  [['src/main.ts', 'klines', 'list'], 'npm run klines -- list'],
])('answers %j with %s', async (args, line) => {
  const { exitCode, out, err } = await runAs('25.9.0', args)
  expect([exitCode, out]).toEqual([2, ''])
  expect(err).toContain(`and then "${line}", which uses it.\n`)
  expect(err.split('\n')).toHaveLength(2)
})

it('tells a script of npm that runs on an old Node that the Node of the project is not installed', async () => {
  const { exitCode, err } = await runAs('20.20.2', ['src/main.js', 'start'], 'start')
  expect([exitCode, err]).toEqual([
    2,
    'Sluice needs Node 26 or newer, but this is Node 20.20.2: type "npm ci", which installs the Node of the project, and then the same again.\n',
  ])
})

it('starts on the Node that package.json asks for', async () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(engines).toEqual({ node: '>=26' })
  const { exitCode, out } = await runAs('26.0.0', ['src/main.js', '--help'])
  expect([exitCode, out.split('\n')[0]]).toEqual([0, 'Usage: sluice [options] [command]'])
})

it('says where its packages are not installed', async () => {
  const main = fileWith('main.js', readFileSync(join(ROOT, 'src/main.js'), 'utf8'))
  writeFileSync(join(dirname(main), 'main.ts'), "import 'commander'\n")
  writeFileSync(join(dirname(main), 'package.json'), '{ "type": "module" }')
  const { exitCode, out, err } = await runAs('26.0.0', [main])
  expect([exitCode, out, err]).toEqual([
    2,
    '',
    'The packages that Sluice uses are not installed: type "npm ci", and then the same again.\n',
  ])
})

it('can be read by a Node that knows neither modules nor await outside of functions', () => {
  const source = readFileSync(join(ROOT, 'src/main.js'), 'utf8')
  expect(() => new Script(source)).not.toThrow()
})
