const { DOCUMENT, OUTPUT } = process.env

module.exports = {
  schemaFile: DOCUMENT,
  apiFile: './rtk-query-api.ts',
  apiImport: 'emptyApi',
  outputFile: OUTPUT,
  exportName: 'holdfast',
}
