import { describe, expect, test } from 'vitest'
import { formatDateOperand } from './date-operand.ts'

const NOW = Date.parse('2030-06-15T12:00:00Z')

describe('a date operand in a sentence', () => {
  test.each([
    ['has a local date and the distance to the future', 'en', '2030-06-15T14:00:00Z', /Jun 15, 2030.*\(in 2 hours\)$/],
    ['has the distance to the past', 'en', '2030-06-12T12:00:00.000Z', /Jun 12, 2030.*\(3 days ago\)$/],
    ['uses the language of the page', 'de', '2030-06-15T14:00:00Z', /15[.]06[.]2030.*\(in 2 Stunden\)$/],
    ['has no distance below a minute', 'en', '2030-06-15T12:00:10Z', /^Jun 15, 2030[^()]*$/],
    ['stays unchanged if it is not a date', 'en', 'soon', /^soon$/],
  ] as const)('%s', (_name, language, value, text) => {
    expect(formatDateOperand(language, value, NOW)).toMatch(text)
  })
})
