import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'

const HEADERS = {
  ...htmlHeaders(),
  'cache-control': 'no-store',
}

/** Failed single sign-on login, in the form that users see. */
export interface SignInFailure {
  readonly status: number
  /** Reason in plain words, without details from the provider. */
  readonly text: string
  /** Reference that users can quote; the log contains it as well. */
  readonly reference: string
}

/** Ways to continue after a failed login. */
export interface SignInLinks {
  readonly basePath: string
  /** Local path to open after the login. */
  readonly next: string
  readonly hasPassword: boolean
}

/** Creates a page that explains why a login failed, with the ways to try again. Works without scripts. */
export function signInPage(failure: SignInFailure, links: SignInLinks, cookie?: string): Reply {
  return new Reply(failure.status, renderPage(failure, links), {
    ...HEADERS,
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  })
}

/** Returns the query string for a login link; empty if the login leads to the first page. */
export const toNextQuery = (next: string): string => (next === '/' ? '' : `?next=${encodeURIComponent(next)}`)

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Styles of the admin UI's login card, in its light, dark and high-contrast colors. */
const STYLES = `:root { color-scheme: light dark; --text: #16211f; --dimmed: #566069; --surface: #fff; --page: #f6f8f7; --line: #dde4e1; --button: #087f5b; --hover: #066649; }
@media (prefers-color-scheme: dark) { :root { --text: #e2e8e5; --dimmed: #a3afaa; --surface: #1b2220; --page: #131817; --line: #323c39; --button: #0a7d5b; --hover: #08694c; } }
@media (prefers-contrast: more) { :root { --line: currentColor; --dimmed: var(--text); } }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 16px; box-sizing: border-box; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--text); background: var(--page); }
main { width: min(400px, 100%); padding: 32px; box-sizing: border-box; background: var(--surface); border: 1px solid var(--line); border-radius: 14px; }
h1 { display: flex; align-items: center; gap: 10px; margin: 0 0 16px; font-size: 22px; line-height: 1.35; }
svg { flex: none; }
p { margin: 0 0 20px; overflow-wrap: anywhere; }
a { display: block; margin-top: 12px; padding: 8px 16px; text-align: center; text-decoration: none; font-weight: 600; color: inherit; border: 1px solid var(--line); border-radius: 8px; }
a.main { color: #fff; background: var(--button); border-color: transparent; }
a.main:hover { background: var(--hover); }
a:focus-visible { outline: 2px solid var(--button); outline-offset: 2px; }
small { display: block; margin-top: 20px; color: var(--dimmed); font-size: 14px; }
code { user-select: all; font-size: 14px; }`

const LOGO =
  '<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><path d="M6 3v27" stroke="currentColor" stroke-width="3" stroke-linecap="round"/><path d="M7.5 5h19l-6 6.5 6 6.5h-19z" fill="#0f8f78"/></svg>'

function renderPage({ text, reference }: SignInFailure, { basePath, next, hasPassword }: SignInLinks): string {
  const query = toNextQuery(next)
  const link = (path: string, label: string, kind = ''): string =>
    `<a href="${escapeHtml(`${basePath}${path}${query}`)}"${kind}>${label}</a>`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Login failed</title>
<style>
${STYLES}
</style>
</head>
<body>
<main>
<h1>${LOGO}We couldn't log you in</h1>
<p>${escapeHtml(text)}</p>
${link('/auth/oidc/login', 'Try again', ' class="main"')}
${hasPassword ? `${link('/login', 'Use a password')}\n` : ''}<small>Reference for your administrator: <code>${escapeHtml(reference)}</code></small>
</main>
</body>
</html>
`
}
