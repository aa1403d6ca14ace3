/** What is known of runners that work under this server's log in other processes. */
export interface Elsewhere {
  /** One of them holds the session's lease. */
  isHeld(owner: string, id: string): boolean
  /** One that has worked on it is still connected, and may go on. */
  isHere(owner: string, id: string): boolean
}
