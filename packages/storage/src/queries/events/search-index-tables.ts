/** Tables of the search index over the contents of events. */
export interface SearchIndexTables {
  /** Indexed blocks, and the number of events that each had when it was indexed. */
  event_search_blocks: { block: number; events: number }
  /** Trigrams of each block, and the events that contain each trigram (see search-postings.ts). */
  event_search_postings: { key: number; postings: string }
}
