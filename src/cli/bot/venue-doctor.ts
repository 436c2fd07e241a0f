import { existsSync, writeFileSync } from 'node:fs'
import type { SurveyBounds } from '../../bot/survey/host-caller.ts'
import { type ProfileOrigin, profileText } from '../../bot/survey/profile-text.ts'
import {
  SURVEY_BOUNDS,
  surveyVenue,
  type VenueAddresses,
  type VenueSurvey,
} from '../../bot/survey/survey-venue.ts'
import { loadProfile } from '../../config/profiles/load-profile.ts'
import { type Environment, SECRET_VARIABLES } from '../../config/secret-variables.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import { Credentials } from '../../exchange/http/credentials.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import type { CommandOutput } from '../streams.ts'
import { surveyJson, surveyText } from './survey-text.ts'

/** Options of the doctor for an exchange. */
export interface VenueDoctorOptions {
  /** Name or path of a profile, or the URL of the spot host or of both hosts. */
  readonly venue: string
  /** URL of the futures host. */
  readonly futures?: string | undefined
  /** File for the profile of the exchange; must not exist. */
  readonly write?: string | undefined
  /** Write one JSON object instead of tables. */
  readonly json: boolean
  /** Least time between two requests, ms; default: 40. */
  readonly pauseMs?: number
  /** Longest wait for one answer, ms; default: 5000. */
  readonly timeoutMs?: number
}

const KEY_VARIABLES = [SECRET_VARIABLES.apiKey, SECRET_VARIABLES.apiSecret] as const

/**
 * Asks the hosts of an exchange for every call, and writes its profile where a file is named. Resolves to the exit
 * code: 0 if every host that was named serves the interface, has klines and lets a bot trade, otherwise 1. Rejects with `UsageError` (2) for an
 * unusable address, profile, file or key.
 */
export async function runVenueDoctor(
  options: VenueDoctorOptions,
  environment: Environment,
  out: CommandOutput,
): Promise<number> {
  const { write, json } = options
  if (write !== undefined && existsSync(write))
    throw new UsageError(`${write} exists already, and is not overwritten; give another file to --write.`)
  const { known, ...addresses } = addressesOf(options)
  const credentials = credentialsIn(environment)
  const clock = createSystemClock()
  const survey = await surveyVenue(addresses, { credentials, clock, bounds: boundsOf(options) })
  const written =
    write !== undefined && survey.hosts.length > 0
      ? writeProfile(write, survey, { known, now: clock.now() })
      : undefined
  out.write(json ? `${JSON.stringify({ ...surveyJson(survey), written })}\n` : surveyText(survey, written))
  return survey.problems.length === 0 && survey.hosts.length > 0 ? 0 : 1
}

interface Addressed extends VenueAddresses {
  readonly known: ExchangeProfile | undefined
}

function addressesOf({ venue, futures }: VenueDoctorOptions): Addressed {
  if (/^[a-z]+:\/\//i.test(venue))
    return { spotUrl: venue, futuresUrl: futures, knowsPrefixes: false, known: undefined }
  const known = loadProfile(venue)
  const [spotUrl, futuresUrl] = [known.spot.url, futures ?? known.futures.url]
  if (spotUrl === undefined && futuresUrl === undefined)
    throw new UsageError(`The profile ${venue} names no host; give the URL of yours: --venue https://…`)
  return { spotUrl, futuresUrl, knowsPrefixes: true, known }
}

/** The key of the environment, which is taken out of it; `undefined` without one. */
function credentialsIn(environment: Environment): Credentials | undefined {
  const [apiKey = '', apiSecret = ''] = KEY_VARIABLES.map(name => environment[name])
  for (const name of KEY_VARIABLES) delete environment[name]
  if (apiKey === '' && apiSecret === '') return undefined
  if (apiKey !== '' && apiSecret !== '') return new Credentials(apiKey, apiSecret)
  const [given, missing] = apiKey === '' ? KEY_VARIABLES.toReversed() : KEY_VARIABLES
  throw new UsageError(`${given} is set, but ${missing} is not; set both, or none to ask without a key.`)
}

function boundsOf({ pauseMs, timeoutMs }: VenueDoctorOptions): SurveyBounds {
  return {
    ...SURVEY_BOUNDS,
    ...(pauseMs !== undefined && { pauseMs }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
}

function writeProfile(file: string, survey: VenueSurvey, origin: ProfileOrigin): string {
  try {
    writeFileSync(file, profileText(survey, origin), { flag: 'wx' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `The profile cannot be written to ${file} (${reason}); give a file in a folder that exists.`,
      cause,
    )
  }
  loadProfile(/[/\\]/.test(file) ? file : `./${file}`)
  return file
}
