interface Located {
  /** `api-v1-line-items` */
  readonly path: string
}

/** The plural of a resource, as it is in paths: `line-items` */
export function pluralOf({ path }: Located): string {
  return path.replace('api-v1-', '')
}

/** How texts name several records: `line items` */
export function nounsOf(resource: Located): string {
  return pluralOf(resource).replaceAll('-', ' ')
}

/** The type of the jobs that import records of a resource: `import_line_items` */
export function importTypeOf(resource: Located): string {
  return `import_${pluralOf(resource).replaceAll('-', '_')}`
}
