/** What the server sends; its shapes are those of `src/web/sources`. @typedef {Record<string, any>} Answer */

/** An answer that is no success, or none at all. */
export class ServerRefusal extends Error {
  /**
   * @param {number} status 0 where nothing answers
   * @param {string} message
   */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

let csrf = ''
/** Place of the bot that is shown. */
let shownBot = 0

/** @param {number} place */
export function showBot(place) {
  shownBot = place
}

/**
 * A path for a bot, by default the one that is shown.
 * @param {string} path
 * @param {number} [place]
 */
export function pathOf(path, place = shownBot) {
  return place === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}bot=${place}`
}

/**
 * Reads a path of the server.
 * @param {string} path
 * @param {number} [place] of another bot than the one that is shown
 * @returns {Promise<Answer>}
 */
export async function read(path, place) {
  return answerOf(fetch(pathOf(path, place)))
}

/**
 * Sends JSON to a path of the server.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function send(path, body) {
  const headers = { 'content-type': 'application/json', 'x-sluice-csrf': csrf }
  return answerOf(fetch(pathOf(path), { method: 'POST', headers, body: JSON.stringify(body) }))
}

/** The session of this browser, whose later POSTs carry its proof. */
export async function readSession() {
  const session = await read('/api/session')
  csrf = session.csrf
  return session
}

/** Time between two tries of a connection that the server refused, ms. */
const RETRY_MS = 1000
/** `EventSource.CLOSED`: the browser does not try again. */
const CLOSED = 2

/**
 * Calls back whenever something has changed, also whenever the connection is open anew, at each failure of it, and once the server
 * knows the session no more.
 * @param {{ readonly onChange: () => void, readonly onLost: () => void, readonly onLoggedOut: () => void }} calls
 */
export function followChanges(calls) {
  const { onChange, onLost, onLoggedOut } = calls
  const events = new EventSource('/api/events')
  events.addEventListener('changed', onChange)
  events.addEventListener('error', () => {
    onLost()
    if (events.readyState === CLOSED) setTimeout(retry, RETRY_MS)
  })
  const retry = async () => {
    try {
      await readSession()
      followChanges(calls)
    } catch (error) {
      if (error instanceof ServerRefusal && error.status === 401) onLoggedOut()
      else setTimeout(retry, RETRY_MS)
    }
  }
}

/** @param {Promise<Response>} asked */
async function answerOf(asked) {
  const response = await asked.catch(() => undefined)
  if (response === undefined) throw new ServerRefusal(0, 'The bot does not answer.')
  const body = await response.json().catch(() => ({}))
  if (response.ok) return body
  throw new ServerRefusal(response.status, body.error ?? `The server answered ${response.status}.`)
}
