import { compile } from '@burgee/engine'
import { afterAll, describe, expect, test } from 'vitest'
import { CASES, readSpecifications } from './specification.ts'

let executed = 0

describe.each(readSpecifications())('$file', ({ document, tests, variantTests }) => {
  const { engine, warnings } = compile(document)

  test.each(tests)('$description', ({ toggleName, context, expectedResult }) => {
    executed++
    expect(engine.evaluate(toggleName, context).enabled).toBe(expectedResult)
    expect(engine.explain(toggleName, context).isEnabled).toBe(expectedResult)
  })

  test.each(variantTests)('$description', ({ toggleName, context, expectedResult }) => {
    executed++
    const { enabled, variant } = engine.evaluate(toggleName, context)
    const { feature_enabled = enabled, ...expected } = expectedResult
    expect({ enabled, variant }).toEqual({ enabled: feature_enabled, variant: expected })
    expect(engine.explain(toggleName, context).variant).toEqual(expected)
  })

  test('warnings name flags of the document', () => {
    for (const { feature } of warnings) expect([...engine.names, undefined]).toContain(feature)
  })
})

afterAll(() => {
  process.stdout.write(`client-specification: ${executed} of ${CASES} cases played\n`)
  expect(executed).toBe(CASES)
})
