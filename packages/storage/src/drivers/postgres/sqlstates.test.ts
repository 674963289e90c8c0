import { describe, expect, test } from 'vitest'
import { classifyDbError, type DbErrorKind, explainDbError, isConnectionLost } from '../../errors.ts'
import { classifyDriverError, classifySqlState, type SqlStateClass } from './sqlstates.ts'

type Row = readonly [state: string, name: SqlStateClass | undefined, kind: DbErrorKind, isLost?: 'lost']

const ROWS: readonly Row[] = [
  ['23505', 'unique violation', 'unique'],
  ['23503', 'foreign key violation', 'reference'],
  ['22021', 'unstorable value', 'unstorable'],
  ['22003', 'unstorable value', 'unstorable'],
  ['54000', 'unstorable value', 'unstorable'],
  ['40001', 'transaction conflict', 'conflict'],
  ['40P01', 'transaction conflict', 'conflict'],
  ['0A000', 'unsupported', 'other'],
  ['26000', 'unknown statement', 'other'],
  ['42883', 'undefined function', 'other'],
  ['42501', 'missing right', 'denied'],
  ['28000', 'login refused', 'denied'],
  ['28P01', 'login refused', 'denied'],
  ['3D000', 'missing database', 'denied'],
  ['57P04', 'missing database', 'denied'],
  ['42P01', 'missing table', 'unavailable'],
  ['3F000', 'missing table', 'unavailable'],
  ['08000', 'connection lost', 'unavailable', 'lost'],
  ['08001', 'connection lost', 'unavailable', 'lost'],
  ['08003', 'connection lost', 'unavailable', 'lost'],
  ['08004', 'connection lost', 'unavailable', 'lost'],
  ['08006', 'connection lost', 'unavailable', 'lost'],
  ['08P01', 'connection lost', 'unavailable', 'lost'],
  ['25P03', 'connection ended', 'unavailable', 'lost'],
  ['25P04', 'connection ended', 'unavailable', 'lost'],
  ['57P01', 'connection ended', 'unavailable', 'lost'],
  ['57P02', 'connection ended', 'unavailable', 'lost'],
  ['57P03', 'connection ended', 'unavailable', 'lost'],
  ['57P05', 'connection ended', 'unavailable', 'lost'],
  ['53000', 'out of resources', 'unavailable'],
  ['53100', 'disk full', 'unavailable'],
  ['53200', 'out of memory', 'unavailable'],
  ['53300', 'too many connections', 'unavailable'],
  ['53400', 'out of resources', 'unavailable'],
  ['58000', 'file error', 'unavailable'],
  ['58030', 'file error', 'unavailable'],
  ['58P01', 'file error', 'unavailable'],
  ['XX001', 'damaged files', 'unavailable'],
  ['XX002', 'damaged files', 'unavailable'],
  ['55000', 'not ready', 'unavailable'],
  ['55006', 'not ready', 'unavailable'],
  ['55P03', 'lock timeout', 'unavailable'],
  ['57014', 'timeout', 'unavailable'],
  ['25006', 'read-only', 'unavailable'],
  // a bug in a statement, and a consequence of an earlier error
  ['42601', undefined, 'other'],
  ['42703', undefined, 'other'],
  ['25P02', undefined, 'other'],
  ['XX000', undefined, 'other'],
]

describe('SQLSTATEs', () => {
  test.each(ROWS)('%s is %s, an error of the kind "%s"', (state, name, kind, isLost) => {
    const error = Object.assign(new Error('it failed'), { code: state })
    expect(classifyDriverError(error)).toBe(name)
    expect(classifyDbError(error)).toBe(kind)
    expect(isConnectionLost(error)).toBe(isLost === 'lost')
    if (kind === 'unavailable' || kind === 'denied') expect(explainDbError(error)).toMatch(/^(it|its|the|there) /)
  })

  test.each([undefined, 23505, '', 'EPIPE', 'EPERM', '787', '0800', '080000', 'ECONNREFUSED'])(
    'no other code is one: %s',
    (code) => {
      expect(classifySqlState(code)).toBeUndefined()
    },
  )
})
