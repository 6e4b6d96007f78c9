"""Reports on findings, from their JSON form alone: a page, and what spreadsheets and CI systems read.

>>> found = pv.check("gdp", pv.Query(pv.Gaussian(1), delta="1e-6"))
>>> pv.report.markdown([found.to_json()]) == pv.report.markdown([found])
True
"""

from pldverify.report.csv_table import csv
from pldverify.report.html_page import html
from pldverify.report.junit_xml import junit
from pldverify.report.markdown_summary import markdown
from pldverify.report.record import Record, records
from pldverify.report.sarif_log import sarif

__all__ = ["Record", "csv", "html", "junit", "markdown", "records", "sarif"]
