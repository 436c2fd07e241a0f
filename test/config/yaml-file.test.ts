import { describe, expect, it } from 'vitest'
import { readYamlFile } from '../../src/config/yaml-file.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { configFile, problemsOf } from '../bot/config/config-file.ts'

const problems = (text: string) => problemsOf(text, path => readYamlFile(path))

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof UsageError) return error.message
  }
  return 'no usage error'
}

describe('a YAML file', () => {
  it('that makes a billion values of ten lines is refused', () => {
    const lines = ['a0: &a0 lol']
    for (let level = 1; level < 10; level++) {
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]`)
    }
    expect(problems(`${lines.join('\n')}\n`)).toEqual([
      'bot.yaml:2:10: There are too many aliases (*name) of aliases; write the values out.',
    ])
  })

  it('may use an alias', () => {
    expect(readYamlFile(configFile('a: &a [1, 2]\nb: *a\n')).value).toEqual({ a: [1, 2], b: [1, 2] })
  })

  it.each([
    ['lists', '['.repeat(200_000)],
    ['sections', '{a: '.repeat(200_000)],
  ])('of %s in each other is refused', (_what, text) => {
    const told = messageOf(() => readYamlFile(configFile(text)))
    expect(told).toMatch(/is nested too deeply; write it in few levels|This is not valid YAML/)
    expect(told.length).toBeLessThan(3000)
  })

  it('of many bytes is refused before it is read', () => {
    expect(() => readYamlFile(configFile('# nothing\n'.repeat(500_000)))).toThrow(
      'has 5000000 bytes, but at most 4194304 are read; is it a configuration?',
    )
  })
})
