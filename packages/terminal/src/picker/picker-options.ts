import type { TextStyle } from '../text-style.ts'

export interface PickerItem {
  readonly label: string
  readonly detail?: string
  readonly value: string
}

export interface PickerOptions {
  style: TextStyle
  /** May have several lines, or none. */
  title: string
  items: readonly PickerItem[]
  /** Which keys do what, below the list. */
  hint: string
  /** The last choice is to write something else. */
  canType?: boolean
  freeTextLabel?: string
  /** Typing filters: for long lists. Then digits do not choose, and each item has one row. */
  isSearchable?: boolean
  multi?: never
}
