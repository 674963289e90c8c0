/** Amounts in use by group; a group that uses nothing costs no memory. */
export class GroupTotals {
  readonly #amounts = new Map<string, number>()

  /** Returns what a group uses. */
  get(group: string): number {
    return this.#amounts.get(group) ?? 0
  }

  /** Changes what a group uses; negative amounts give back. */
  add(group: string, amount: number): void {
    const total = this.get(group) + amount
    if (total === 0) this.#amounts.delete(group)
    else this.#amounts.set(group, total)
  }
}
