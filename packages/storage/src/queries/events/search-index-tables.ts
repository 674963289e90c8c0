/** Tables of the search index for `data` and `preData` of events. */
export interface SearchIndexTables {
  /** Indexed blocks, each with the number of events that it had when it was indexed. */
  event_search_blocks: { block: number; events: number }
  /** Trigrams of each block, each with the events that contain it (see search-postings.ts). */
  event_search_postings: { key: number; postings: string }
}
