/** Finds small changes of a source text (mutants) that tests should notice. */
import { parseAst } from 'rolldown/parseAst'

const OPPOSITES = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}
/** Calls that are replaced by their receiver. */
const DROPPED = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'toLowerCase'])
const METHODS = { some: 'every', every: 'some', min: 'max', max: 'min' }
/** Strings of the API description and of options. The check of generated documents compares these strings. */
const DOCUMENTATION = new Set(['description', 'summary', 'tag', 'doc'])
/** Types, imports and error messages, which mutants do not change. Mutants do not change these parts. */
const SKIPPED = /^(TS(?!NonNull|As|Satisfies)|Import|Export(All|Specifier)|ThrowStatement)/
const ERRORS = /(Error|Problem)$/

/**
 * Returns the mutants of TypeScript source code, each with its line, the range to replace, the new text and a
 * description. Does not mutate error messages, strings of the API description and of options, types and imports.
 */
export function listMutants(text) {
  const found = []
  const add = (node, to) => {
    const from = text.slice(node.start, node.end)
    if (from !== to) found.push({ line: lineAt(text, node.start), start: node.start, end: node.end, from, to })
  }
  const source = ({ start, end }) => text.slice(start, end)
  const visit = (node, parent) => MUTATORS[node.type]?.(node, { add, source, parent })
  walk(parseAst(text, { lang: 'ts' }), undefined, visit)
  return found.sort((a, b) => a.start - b.start || a.end - b.end || (a.to < b.to ? -1 : 1))
}

/** Returns the source code with one mutant in it. */
export function applyMutant(text, { start, end, to }) {
  return text.slice(0, start) + to + text.slice(end)
}

/** Returns a function that draws numbers in [0, 1). Equal seeds give equal numbers (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a random selection of the items without repetition, in their original order. */
export function drawSample(items, count, random) {
  const rest = items.map((_, index) => index)
  const drawn = []
  while (drawn.length < count && rest.length > 0) drawn.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return drawn.sort((a, b) => a - b).map((index) => items[index])
}

function walk(node, parent, visit) {
  if (typeof node?.type !== 'string' || SKIPPED.test(node.type)) return
  if (node.type === 'NewExpression' && ERRORS.test(node.callee.name)) return
  if (node.type === 'Property' && DOCUMENTATION.has(node.key.name) && node.value.type === 'Literal') return
  visit(node, parent)
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const one of child) walk(one, node, visit)
    else if (child !== null && typeof child === 'object') walk(child, node, visit)
  }
}

const MUTATORS = {
  BinaryExpression: replaceOperator,
  LogicalExpression: replaceOperator,
  UnaryExpression: (node, { add, source }) => {
    if (node.operator === '!') add(node, source(node.argument))
  },
  Literal: replaceLiteral,
  IfStatement: ({ test }, { add }) => replaceCondition(test, add),
  ConditionalExpression: ({ test }, { add }) => replaceCondition(test, add),
  ReturnStatement: ({ argument }, { add }) => {
    if (argument !== null) add(argument, 'undefined')
  },
  ExpressionStatement: (node, { add }) => {
    if (node.expression.type === 'CallExpression' || node.expression.type === 'AssignmentExpression') add(node, ';')
  },
  SpreadElement: (node, { add, parent }) => {
    if (parent.type === 'ObjectExpression') add(node, '...{}')
    else if (parent.type === 'ArrayExpression') add(node, '...[]')
  },
  CallExpression: (node, { add, source }) => {
    const { callee } = node
    if (callee.type !== 'MemberExpression' || callee.computed) return
    if (DROPPED.has(callee.property.name)) add(node, source(callee.object))
    const other = METHODS[callee.property.name]
    if (other !== undefined) add(callee.property, other)
  },
}

function replaceCondition(test, add) {
  add(test, 'true')
  add(test, 'false')
}

function replaceOperator(node, { add, source }) {
  const { left, right, operator } = node
  if (operator === '??') return add(node, source(left))
  const other = OPPOSITES[operator]
  if (other !== undefined) add(node, `${source(left)} ${other} ${source(right)}`)
}

function replaceLiteral(node, { add, parent }) {
  const isName = parent.type === 'Property' && parent.key === node
  if (isName || parent.type === 'ExpressionStatement') return
  if (typeof node.value === 'boolean') add(node, String(!node.value))
  else if (typeof node.value === 'number') add(node, String(node.value + 1))
  else if (typeof node.value === 'string') add(node, node.value === '' ? "'mutant'" : "''")
}

function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length
}
