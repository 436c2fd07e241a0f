import type { ExchangeProfile, HostProfile } from './exchange-profile.ts'

const HOST = {
  signsPrefix: true,
  versions: {},
  lacks: [],
  lacksKlines: [],
  omitsHeaders: [],
} as const satisfies Partial<HostProfile>

/** The interface document itself: the default of every key of a profile. */
export const DOCUMENT_PROFILE: ExchangeProfile = {
  name: 'document',
  exchange: 'Interface document',
  date: '2026-11',
  source: 'the interface document',
  known: [],
  unknown: [],
  spot: { ...HOST, orderTypes: ['LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY', 'STOP'] },
  futures: {
    ...HOST,
    orderTypes: ['LIMIT', 'MARKET', 'IOC', 'FOK', 'POST_ONLY'],
    orderUnits: ['contracts', 'base', 'quote'],
    marketOrderUnit: { open: 'contracts', close: 'contracts' },
  },
}
