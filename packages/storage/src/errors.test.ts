import { expect, test } from 'vitest'
import { classifyDbError, type DbErrorKind, explainDbError } from './errors.ts'

const coded = (more: object, message = 'it failed') => Object.assign(new Error(message), more)

test.each<[string, unknown, DbErrorKind]>([
  ['SQLite, disk full', coded({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'unavailable'],
  ['SQLite, an I/O error of an extended code', coded({ code: 'ERR_SQLITE_ERROR', errcode: 778 }), 'unavailable'],
  ['SQLite, busy', coded({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'unavailable'],
  ['SQLite, read-only', coded({ code: 'ERR_SQLITE_ERROR', errcode: 8 }), 'unavailable'],
  ['SQLite, a statement that is wrong', coded({ code: 'ERR_SQLITE_ERROR', errcode: 1 }), 'other'],
  ['SQLite, twice the same', coded({ code: 'ERR_SQLITE_ERROR', errcode: 2067 }), 'unique'],
  ['PostgreSQL, disk full', coded({ code: '53100' }), 'unavailable'],
  ['PostgreSQL, too many connections', coded({ code: '53300' }), 'unavailable'],
  ['PostgreSQL, ended by an administrator', coded({ code: '57P01' }), 'unavailable'],
  ['PostgreSQL, a statement that took too long', coded({ code: '57014' }), 'unavailable'],
  ['PostgreSQL, a deadlock', coded({ code: '40P01' }), 'conflict'],
  ['no connection', coded({ code: 'ECONNREFUSED' }), 'unavailable'],
  ['no connection to any address', new AggregateError([coded({ code: 'ECONNREFUSED' })]), 'unavailable'],
  ['no Unix socket', coded({ code: 'ENOENT', syscall: 'connect' }), 'unavailable'],
  ['no such file', coded({ code: 'ENOENT', syscall: 'open' }), 'other'],
  ['a file system that is read-only', coded({ code: 'EROFS' }), 'unavailable'],
  ['no room for a file', coded({ code: 'ENOSPC' }), 'unavailable'],
  ['no free connection', new Error('timeout exceeded when trying to connect'), 'unavailable'],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), 'unavailable'],
  ['another error because of that', new Error('it failed', { cause: coded({ code: 'EPIPE' }) }), 'unavailable'],
  ['a certificate that has expired', coded({ code: 'CERT_HAS_EXPIRED' }), 'denied'],
  ['a certificate of another key', coded({ code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' }), 'denied'],
  ['a server without TLS', new Error('The server does not support SSL connections'), 'denied'],
  ['no password', new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'denied'],
  ['a bug', new TypeError('x is not a function'), 'other'],
  ['no error', undefined, 'other'],
])('%s', (_name, error, kind) => {
  expect(classifyDbError(error)).toBe(kind)
})

test.each<[number, string]>([
  [5, 'it is busy: another process or connection holds its lock'],
  [261, 'it is busy: another process or connection holds its lock'],
  [8, 'it is read-only'],
  [778, 'its files cannot be read or written'],
  [13, 'it has no room left'],
  [14, 'its files cannot be read or written'],
])('explains the SQLite result code %d as “%s”', (errcode, reason) => {
  expect(explainDbError(coded({ code: 'ERR_SQLITE_ERROR', errcode }))).toBe(reason)
})
