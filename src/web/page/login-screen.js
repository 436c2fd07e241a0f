import { card, element } from './elements.js'
import { read, send } from './server-calls.js'

/**
 * Logs in by the token behind `#login=` of the address, and takes it out of the address and the history.
 * @returns {Promise<string | undefined>} a problem, in a sentence
 */
export async function loginByLink() {
  const token = /^#login=([\w-]+)$/.exec(location.hash)?.[1]
  if (token === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  try {
    await send('/api/login', { token })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Asks for a new link, or for the password where there is one.
 * @param {string | undefined} problem
 * @param {() => void} onLogin
 */
export async function loginScreen(problem, onLogin) {
  const { hasPassword, isView } = await read('/api/login').catch(() => ({ hasPassword: true, isView: false }))
  const password = /** @type {HTMLInputElement} */ (
    element('input', { id: 'password', type: 'password', autocomplete: 'current-password', required: true })
  )
  const said = element('p', { class: 'loss', role: 'alert' }, problem ?? '')
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      await send('/api/login', { password: password.value })
      onLogin()
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  return card(
    'Log in',
    element(
      'p',
      {},
      ...(isView
        ? [
            'The address that “npm run view” printed logs in once, within a minute. For a new one stop it (Ctrl-C) and start it again.',
          ]
        : [
            'Open the address that the bot printed within a minute, or let it print a new one: ',
            element('code', {}, 'npm run -s bot -- window'),
          ]),
    ),
    hasPassword &&
      element(
        'form',
        { onsubmit: submit },
        // Managers of passwords keep them by a name.
        element('input', { type: 'text', autocomplete: 'username', value: 'sluice', hidden: true }),
        element(
          'p',
          { class: 'row' },
          element('label', { for: 'password' }, 'Or give the password'),
          password,
          element('button', { type: 'submit' }, 'Log in'),
        ),
      ),
    said,
  )
}
