import { describe, expect, it } from 'vitest'
import { type PaperSetup, paperSetupToGoOnWith } from '../../../src/bot/paper/paper-setup.ts'

const [SPOT, OTHER, FUTURES] = ['https://a.example', 'https://b.example', 'https://futures.example']

function setup(opened: PaperSetup['opened'], paper: PaperSetup['paper']): PaperSetup {
  return { paper, opened, grids: {}, balances: { USDT: '10000' } }
}

const goneOnWith = (before: PaperSetup, now: PaperSetup) =>
  paperSetupToGoOnWith(JSON.stringify(before), 'bot.journal.exchange', now)

describe('a paper account that goes on', () => {
  it('goes on where an older version noted the host of a market that is not traded', () => {
    const [before, now] = [
      setup(['spot'], { spotUrl: SPOT, futuresUrl: FUTURES }),
      setup(['spot'], { spotUrl: SPOT }),
    ]
    expect(goneOnWith(before, now).paper).toEqual(before.paper)
    expect(goneOnWith(now, before).paper).toEqual(before.paper)
    const contracts = setup(['futures'], { futuresUrl: FUTURES })
    expect(goneOnWith(setup(['futures'], before.paper), contracts).paper).toEqual(before.paper)
  })

  it('is refused on another host of what it traded, and the host is named', () => {
    const refusal = (kind: 'spot' | 'margin' | 'futures', key: 'spotUrl' | 'futuresUrl') => () =>
      goneOnWith(setup([kind], { [key]: SPOT }), setup([kind], { [key]: OTHER }))
    const said = `The paper account in bot.journal.exchange was opened on ${SPOT}, but the configuration names ${OTHER}. Move`
    expect(refusal('spot', 'spotUrl')).toThrow(said)
    expect(refusal('margin', 'spotUrl')).toThrow(said)
    expect(refusal('futures', 'futuresUrl')).toThrow(said)
  })

  it('keeps the host of contracts from the first start that trades them', () => {
    const spot = setup(['spot'], { spotUrl: SPOT, futuresUrl: OTHER })
    const both = setup(['spot', 'futures'], { spotUrl: SPOT, futuresUrl: FUTURES })
    const kept = goneOnWith(spot, both)
    expect([kept.paper, kept.opened]).toEqual([both.paper, ['spot', 'futures']])
    expect(() => goneOnWith(kept, setup(['futures'], { futuresUrl: OTHER }))).toThrow(
      `was opened on ${FUTURES}`,
    )
  })
})
