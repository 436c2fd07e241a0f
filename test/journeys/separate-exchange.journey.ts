import { expect, it } from 'vitest'
import { expectThreeLives } from './three-lives.ts'

it('a bot on a separate exchange that is killed, stopped and started again holds on spot what it held', async () => {
  expect.hasAssertions()
  await expectThreeLives('account: { type: spot }')
})
