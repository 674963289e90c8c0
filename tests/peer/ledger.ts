import { compare, type Discrepancy, type Situation } from './compare.ts'
import { DIFFERENCES } from './differences.ts'

/** Results of all comparisons. */
export class Ledger {
  same = 0
  documented = 0
  differing = 0
  /** Ids of the listed differences that occurred. */
  readonly met = new Set<string>()

  /** Compares two replies. Returns a description of every difference that no row explains. */
  enter(situation: Situation): string[] {
    return this.enterAll(compare(situation.peer, situation.ours, situation.request.method), situation)
  }

  /** Returns the same description for differences that were found before. */
  enterAll(found: readonly Discrepancy[], situation: Situation): string[] {
    const rows = found.map((one) => DIFFERENCES.find(({ applies }) => applies(one, situation)))
    for (const row of rows) if (row !== undefined) this.met.add(row.id)
    const unexplained = found.filter((_one, index) => rows[index] === undefined)
    if (unexplained.length > 0) this.differing += 1
    else if (found.length > 0) this.documented += 1
    else this.same += 1
    return unexplained.map((one) => described(one, situation))
  }

  /** Returns one line of totals. */
  summary(): string {
    return `${this.same} same, ${this.documented} documented, ${this.differing} differ`
  }
}

const LONGEST = 300

function described({ at, peer, ours }: Discrepancy, { request }: Situation): string {
  const { method, path, headers, body } = request
  const sent = [...headers.map(([name, value]) => `${name}: ${value}`), body === undefined ? '' : String(body)]
  return [
    `${method} ${short(path)} ${short(sent.join(' | '))}`,
    `${at}: peer ${short(peer)}, ours ${short(ours)}`,
  ].join('\n    ')
}

function short(text: string | undefined): string {
  if (text === undefined) return '(none)'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : JSON.stringify(text)
}
