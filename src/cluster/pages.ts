/** What commits have changed: the newest content of each page, by its number from 1, and the size of the database after them. */
export interface Pages {
  pages: ReadonlyMap<number, Buffer>
  databasePages: number
}
