/** The header by which the site on another host tells the API its visitor's IP address: `<address> <signature>`. */
export const VISITOR_HEADER = 'X-Visitor-Address';
