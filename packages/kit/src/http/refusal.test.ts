import { expect, test } from 'vitest'
import { Refusal, refusalOf } from './refusal.ts'

test.each([
  ['not-found', 404],
  ['media-type', 415],
  ['too-large', 413],
  ['syntax', 400],
  ['encoding', 415],
  ['bad-request', 400],
] as const)('%s is %i', (reason, status) => {
  expect(new Refusal(reason, 'why')).toMatchObject({ name: 'Refusal', reason, status, message: 'why' })
})

const withCode = (code: unknown) => Object.assign(new Error('framework'), { code })

test.each([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'media-type'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'too-large'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad-request'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'syntax'],
  ['FST_ERR_BAD_URL', 'not-found'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'not-found'],
  ['FST_ERR_ASYNC_CONSTRAINT', 'bad-request'],
])('%s of the framework is %s', (code, reason) => {
  const error = withCode(code)
  expect(refusalOf(error)).toMatchObject({ reason, message: 'framework', cause: error })
})

test.each([
  new Error('plain'),
  withCode('ENOENT'),
  withCode('constructor'),
  withCode(7),
  new Refusal('syntax', 'x'),
  'text',
  undefined,
])('anything else stays as it is: %s', (error) => {
  expect(refusalOf(error)).toBe(error)
})
