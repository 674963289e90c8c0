/**
 * Finds the test files that execute the functions of mutants, so that each mutant only runs tests that can detect it. A
 * run with BURGEE_MUTANT_HITS records the executed functions of each test file (`tests/setup/mutant.ts`).
 */
import { parseAst } from 'rolldown/parseAst'

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Returns the start and end of each function body in TypeScript source code, and whether the body is an expression. */
export function listFunctions(text) {
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (typeof node?.type !== 'string') return
    if (FUNCTIONS.has(node.type) && node.body !== null) {
      const { body } = node
      const isExpression = body.type !== 'BlockStatement'
      found.push({ start: node.start, end: node.end, body: [body.start, body.end], isExpression })
    }
    for (const child of Object.values(node)) if (child !== null && typeof child === 'object') visit(child)
  }
  visit(parseAst(text, { lang: 'ts' }).body)
  return found
}

/** Returns the source code with a call of `globalThis.burgeeHit` at the start of each function. */
export function instrument(text, file) {
  const inserted = listFunctions(text).flatMap(({ start, body, isExpression }) => {
    const call = `globalThis.burgeeHit?.(${JSON.stringify(toId(file, start))})`
    if (!isExpression) return [{ at: body[0] + 1, text: `${call};` }]
    return [
      { at: body[0], text: `(${call}, ` },
      { at: body[1], text: ')' },
    ]
  })
  let result = text
  for (const { at, text: more } of inserted.sort((a, b) => b.at - a.at)) {
    result = result.slice(0, at) + more + result.slice(at)
  }
  return result
}

/**
 * Returns the id of the innermost function that contains a mutant, or undefined if the code runs when the module loads.
 */
export function findFunction(text, file, mutant) {
  const around = listFunctions(text).filter(({ start, end }) => start <= mutant.start && mutant.end <= end)
  const innermost = around.sort((a, b) => b.start - a.start)[0]
  return innermost === undefined ? undefined : toId(file, innermost.start)
}

/**
 * Returns the test files that can detect a mutant, quickest first. `records` are the recorded runs: path, duration, and
 * the ids of the functions that ran in tests (`hits`) or while modules loaded (`loaded`). Modules load only once per
 * process, so a function that ran while they loaded concerns all test files.
 */
export function selectTests(records, id) {
  const concernsAll = id === undefined || records.some(({ loaded }) => loaded.has(id))
  return records.filter(({ hits }) => concernsAll || hits.has(id)).sort((a, b) => a.ms - b.ms)
}

function toId(file, start) {
  return `${file}:${start}`
}
