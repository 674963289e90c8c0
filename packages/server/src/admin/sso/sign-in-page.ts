import { htmlHeaders } from '@burgee/kit/http/html'
import { Reply } from '@burgee/kit/http/route'

const HEADERS = {
  ...htmlHeaders(),
  'cache-control': 'no-store',
}

/** Creates a page that explains why a sign-in failed, with a link back. */
export function signInPage(status: number, text: string, basePath: string, cookie?: string): Reply {
  return new Reply(status, renderPage(text, basePath), {
    ...HEADERS,
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  })
}

const renderPage = (text: string, basePath: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1.5rem; }
</style>
</head>
<body>
<main>
<h1>Not signed in</h1>
<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>
<p><a href="${basePath}/login">To the login</a></p>
</main>
</body>
</html>
`
