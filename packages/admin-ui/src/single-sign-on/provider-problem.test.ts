import { afterAll, expect, test, vi } from 'vitest'

// The module reads the base path of the page.
vi.stubGlobal('document', { querySelector: () => null })
afterAll(() => void vi.unstubAllGlobals())
const { ApiError } = await import('../api/http.ts')
const { findProviderProblem } = await import('./provider-problem.ts')
const { SSO_TEXTS } = await import('./texts.ts')

const url = 'discoverUrl'
const { problems } = SSO_TEXTS.en
const findProblem = (message: string, path: string) =>
  findProviderProblem(problems, new ApiError(400, message, { name: 'ValidationError', details: [{ message, path }] }))

test.each([
  ['The provider cannot be used: its answer is not the expected document', url, problems.noConfiguration],
  ['The provider cannot be used: it answers with status 404', url, problems.status('404')],
  ['The provider cannot be used: ECONNREFUSED', url, problems.unreachable('ECONNREFUSED')],
  ['The provider cannot be used: it does not answer in time', url, problems.late],
  [
    'The provider cannot be used: its certificate is not trusted (CERT_HAS_EXPIRED)',
    url,
    problems.certificate('CERT_HAS_EXPIRED'),
  ],
  ['The provider cannot be used: its document names another issuer: enter it', url, problems.otherIssuer],
  ['The provider rejects this client id or secret', 'clientId', problems.client],
  ['The provider does not sign ID tokens with RS512', 'idTokenSigningAlgorithm', problems.algorithm('RS512')],
])('"%s" is described at %s', (message, setting, text) => {
  expect(findProblem(message, `body/${setting}`)).toEqual({ setting, text })
})

test('leaves other errors to the general description', () => {
  expect(findProblem('"emailDomains" must name a domain', 'body/emailDomains')).toBeUndefined()
  expect(findProviderProblem(problems, new TypeError('failed'))).toBeUndefined()
})
