import type { Note } from '@burgee/import/model/fidelity'
import type { VerifiedImport } from '@burgee/server/admin/import/verify-import'
import { expect, test } from 'vitest'
import { formatVerified, getExitCode } from '../../bin/src/import/verified-text.ts'

const EQUAL: VerifiedImport = { names: { a: 'source', b: 'here' }, parts: [], reported: [], isFromSource: true }
const REPORTED: VerifiedImport = { ...EQUAL, reported: ['f'] }
/** A part of the comparison in which one flag differs although the report does not mention it. */
const UNEXPLAINED = { ...EQUAL, parts: [{ differences: [{ flag: 'f' }] }] } as unknown as VerifiedImport

const note = (kind: Note['kind'], fidelity: Note['fidelity']): Note => ({ kind, name: 'f', fidelity, words: 'x' })
const APPROXIMATED = note('flag', 'approximated')

test.each<[string, readonly Note[], VerifiedImport | undefined, number]>([
  ['equal, with nothing in the report', [], EQUAL, 0],
  ['equal, with a note about an exact flag', [note('flag', 'exact')], EQUAL, 0],
  ['equal, without a user', [note('user', 'not carried')], EQUAL, 0],
  ['not compared, with nothing in the report', [], undefined, 0],
  ['different as reported', [], REPORTED, 3],
  ['equal, with an approximated flag', [APPROXIMATED], EQUAL, 3],
  ['not compared, without a segment', [note('segment', 'not carried')], undefined, 3],
  ['different without a line in the report', [], UNEXPLAINED, 2],
  ['different without a line about this flag, and with others', [APPROXIMATED], UNEXPLAINED, 2],
])('an import that is %s has the exit code of its kind', (_, notes, verified, code) => {
  expect(getExitCode({ notes, verified } as Parameters<typeof getExitCode>[0])).toBe(code)
})

test('names differences as reported, and at most ten flags', () => {
  const reported = Array.from({ length: 12 }, (_, index) => `f${index}`)
  expect(formatVerified({ ...EQUAL, reported }).join('\n')).toContain(
    'Different as reported above: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 2 more',
  )
})
