/** The header in which a site on another host than the API sends its visitor's IP address: `<address> <signature>`. */
export const VISITOR_HEADER = 'X-Visitor-Address';
