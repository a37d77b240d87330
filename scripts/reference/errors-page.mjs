// The page docs/reference/errors.md, from the error table. Pure: a test compares it with the file.

const introduction = `# Errors and warnings

Written by \`npm run reference\` from the error table. Faults inside documents are told with their place in the file and
are not listed here.

| code | kind | message | what to do | exit | HTTP | send again |
|---|---|---|---|---|---|---|
`;

/** @param {typeof import('../../src/errors.js').errorTable} table */
export function renderErrorsPage(table) {
  const rows = Object.entries(table).map(([code, row]) => {
    const cells = [
      `\`${code}\``,
      row.severity,
      row.message,
      row.hint ?? '',
      row.exitCode ?? '',
      row.http ?? '',
      row.http === undefined ? '' : row.retryable === true ? 'yes' : 'no',
    ];
    return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `${introduction}${rows.join('\n')}\n`;
}
